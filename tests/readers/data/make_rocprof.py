#!/usr/bin/env python3
"""Writes one made-up run in the three formats of rocprofv3 and prints what is true of it.

No real file of rocprofv3 was at hand that may be passed on: the columns are those of its documentation and of the
schema of its database, the rows are made up. Two GPUs, one process, 121 kernels, 15 copies, their launches.
"""
import gzip, json, os, sqlite3, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PID, TID = 4711, 4712
NAMES = ["gemm_f16(half*, int)", "void rmsnorm<float>(float*)", "ncclDevKernel_AllReduce", "rope_kernel"]
HIP, COPY = 3, 7  # numbers of the kinds, as good as any
T0 = 1551401624000000


def run():
    calls, kernels, copies = [], [], []
    now, correlation = T0, 0
    ends = {}
    for i in range(136):
        correlation += 1
        is_copy = i % 17 == 16 or i % 17 == 0 and i >= 17
        start = now + 1000 + 37 * i % 700
        calls.append(dict(name="hipMemcpyAsync" if is_copy else "hipLaunchKernel", start=start, end=start + 900 + i, correlation=correlation))
        now = start + 1500
        agent, queue = 1 + i % 2, 1 + i % 3
        key = (agent, "copy" if is_copy else queue)
        begin = max(start + 2500, ends.get(key, 0))
        length = 4000 + 613 * i % 9000
        ends[key] = begin + length
        if is_copy:
            copies.append(dict(agent=agent, to_host=i % 2 == 0, start=begin, end=begin + length, bytes=4096 * (i + 1), correlation=correlation))
        else:
            kernels.append(dict(agent=agent, queue=queue, stream=queue + 1, kernel=1 + i % 4, start=begin, end=begin + length, correlation=correlation))
    return calls, kernels, copies


def direction(copy):
    return "MEMORY_COPY_DEVICE_TO_HOST" if copy["to_host"] else "MEMORY_COPY_HOST_TO_DEVICE"


def ends_of(copy):
    return (copy["agent"], 0) if copy["to_host"] else (0, copy["agent"])  # source, destination


def csv_files(calls, kernels, copies):
    def table(titles, rows):
        return ",".join(f'"{t}"' for t in titles) + "\n" + "".join(
            ",".join(f'"{v}"' if isinstance(v, str) else str(v) for v in row) + "\n" for row in rows)
    size = ["Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z", "Grid_Size_X", "Grid_Size_Y", "Grid_Size_Z"]
    return {
        "rocprof_kernel_trace.csv": table(
            ["Kind", "Agent_Id", "Queue_Id", "Stream_Id", "Thread_Id", "Dispatch_Id", "Kernel_Id", "Kernel_Name", "Correlation_Id",
             "Start_Timestamp", "End_Timestamp", "LDS_Block_Size", "Scratch_Size", "VGPR_Count", "Accum_VGPR_Count", "SGPR_Count"] + size,
            [["KERNEL_DISPATCH", f"Agent {k['agent']}", k["queue"], k["stream"], TID, i + 1, k["kernel"], NAMES[k["kernel"] - 1],
              k["correlation"], k["start"], k["end"], 0, 0, 8, 0, 16, 64, 1, 1, 1024, 1024, 1] for i, k in enumerate(kernels)]),
        "rocprof_hip_api_trace.csv": table(
            ["Domain", "Function", "Process_Id", "Thread_Id", "Correlation_Id", "Start_Timestamp", "End_Timestamp"],
            [["HIP_RUNTIME_API", c["name"], PID, TID, c["correlation"], c["start"], c["end"]] for c in calls]),
        "rocprof_memory_copy_trace.csv": table(
            ["Kind", "Direction", "Stream_Id", "Source_Agent_Id", "Destination_Agent_Id", "Correlation_Id", "Start_Timestamp", "End_Timestamp"],
            [["MEMORY_COPY", direction(c), 0, f"Agent {ends_of(c)[0]}", f"Agent {ends_of(c)[1]}", c["correlation"], c["start"], c["end"]]
             for c in copies]),
        "rocprof_agent_info.csv": table(
            ["Node_Id", "Logical_Node_Id", "Agent_Type", "Cu_Count", "Name", "Vendor_Name", "Product_Name", "Model_Name"],
            [[0, 0, "CPU", 64, "AMD EPYC", "CPU", "AMD EPYC", ""], [2, 1, "GPU", 304, "gfx942", "AMD", "AMD Instinct MI300X", ""],
             [4, 2, "GPU", 304, "gfx942", "AMD", "AMD Instinct MI300X", ""]]),
    }


def json_file(calls, kernels, copies):
    handle = lambda number: {"handle": number}
    xyz = lambda x, y, z: {"x": x, "y": y, "z": z}
    kinds = [{"kind": "NONE", "operations": []} for _ in range(8)]
    kinds[HIP] = {"kind": "HIP_RUNTIME_API", "operations": ["hipNone", "hipLaunchKernel", "hipMemcpyAsync"]}
    kinds[COPY] = {"kind": "MEMORY_COPY", "operations": ["MEMORY_COPY_NONE", "MEMORY_COPY_HOST_TO_DEVICE", "MEMORY_COPY_DEVICE_TO_HOST"]}
    one = {
        "metadata": {"node": {"id": 1, "hostname": "node"}, "pid": PID, "init_time": T0, "fini_time": T0 + 10**9, "command": ["/opt/serve", "--fast"]},
        "agents": [{"id": handle(100 + i), "type": 1 if i == 0 else 2, "node_id": 2 * i, "logical_node_id": i,
                    "logical_node_type_id": max(i - 1, 0), "name": "gfx942" if i else "AMD EPYC",
                    "product_name": "AMD Instinct MI300X" if i else "AMD EPYC"} for i in range(3)],
        "counters": [],
        "strings": {"callback_records": [{"kind": "NONE", "operations": ["not this"]}], "buffer_records": kinds},
        "code_objects": [{"code_object_id": 1, "uri": "memory://1"}],
        "kernel_symbols": [{"kernel_id": i + 1, "kernel_name": f"_Z{i}.kd", "formatted_kernel_name": n} for i, n in enumerate(NAMES)],
        "summary": [{"domain": "x", "stats": {"count": 5}}],
        "buffer_records": {
            "kernel_dispatch": [{"size": 128, "kind": 11, "operation": 2, "thread_id": TID,
                                 "correlation_id": {"internal": k["correlation"], "external": 0}, "start_timestamp": k["start"],
                                 "end_timestamp": k["end"], "stream_id": handle(k["stream"]),
                                 "dispatch_info": {"size": 64, "agent_id": handle(100 + k["agent"]), "queue_id": handle(k["queue"]),
                                                   "kernel_id": k["kernel"], "dispatch_id": i + 1, "workgroup_size": xyz(64, 1, 1),
                                                   "grid_size": xyz(1024, 1024, 1)}} for i, k in enumerate(kernels)],
            "hip_api": [{"size": 64, "kind": HIP, "operation": 2 if c["name"] == "hipMemcpyAsync" else 1, "thread_id": TID,
                         "correlation_id": {"internal": c["correlation"], "external": 0}, "start_timestamp": c["start"],
                         "end_timestamp": c["end"]} for c in calls],
            "memory_copy": [{"size": 64, "kind": COPY, "operation": 2 if c["to_host"] else 1, "thread_id": TID,
                             "correlation_id": {"internal": c["correlation"], "external": 0}, "start_timestamp": c["start"],
                             "end_timestamp": c["end"], "src_agent_id": handle(100 + ends_of(c)[0]),
                             "dst_agent_id": handle(100 + ends_of(c)[1]), "bytes": c["bytes"]} for c in copies],
        },
    }
    return json.dumps({"rocprofiler-sdk-tool": [one]})


def database(path, calls, kernels, copies, has_spine):
    """Version 3 of the schema, or version 4 (has_spine): times in one table, owners in tracks."""
    u = "_00006409_00d1_70d1_a5cb_b5ab88214544"
    db = sqlite3.connect(path)
    run = db.execute
    run(f"create table rocpd_string{u}(id integer primary key, guid text, string text)")
    run(f"create table rocpd_info_process{u}(id integer primary key, nid integer, pid integer, command text)")
    run(f"create table rocpd_info_thread{u}(id integer primary key, nid integer, pid integer, tid integer, name text)")
    run(f"create table rocpd_info_agent{u}(id integer primary key, nid integer, pid integer, type text, absolute_index integer, "
        "logical_index integer, type_index integer, name text, product_name text)")
    run(f"create table rocpd_info_kernel_symbol{u}(id integer primary key, kernel_name text, display_name text)")
    run(f"create table rocpd_event{u}(id integer primary key, category_id integer, stack_id integer, parent_stack_id integer, correlation_id integer)")
    sizes = "workgroup_size_x, workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, grid_size_z"
    place = "track_id, start_id, end_id" if has_spine else 'nid, pid, tid, start, "end"'
    owner = "" if has_spine else ", agent_id, queue_id, stream_id"
    copy_owner = "" if has_spine else ", queue_id, stream_id"
    run(f"create table rocpd_region{u}(id integer primary key, {place}, name_id integer, event_id integer)")
    run(f"create table rocpd_kernel_dispatch{u}(id integer primary key, {place}{owner}, kernel_id, dispatch_id, {sizes}, event_id)")
    run(f"create table rocpd_memory_copy{u}(id integer primary key, {place}{copy_owner}, name_id, dst_agent_id, src_agent_id, size, event_id)")
    run(f"create table rocpd_memory_allocate{u}(id integer primary key, size integer)")
    if has_spine:
        run(f"create table rocpd_timestamp{u}(id integer primary key, value integer, track_id integer)")
        run(f"create table rocpd_track{u}(id integer primary key, nid, pid, tid, agent_id, queue_id, stream_id)")
    strings, tracks = {}, {}
    def text(value):
        if value not in strings:
            strings[value] = len(strings) + 1
            run(f"insert into rocpd_string{u} values (?, '', ?)", (strings[value], value))
        return strings[value]
    def at(start, end, agent=None, queue=None, stream=None):
        if not has_spine:
            return (1, 1, 1, start, end)
        key = (agent, queue, stream)
        if key not in tracks:
            tracks[key] = len(tracks) + 1
            run(f"insert into rocpd_track{u} values (?, 1, 1, 1, ?, ?, ?)", (tracks[key],) + key)
        ids = [run(f"insert into rocpd_timestamp{u}(value, track_id) values (?, ?)", (t, tracks[key])).lastrowid for t in (start, end)]
        return (tracks[key], ids[0], ids[1])
    def event(category, correlation):
        return run(f"insert into rocpd_event{u}(category_id, stack_id, correlation_id) values (?, ?, 0)", (text(category), correlation)).lastrowid
    run(f"insert into rocpd_info_process{u} values (1, 1, ?, '/opt/serve --fast')", (PID,))
    run(f"insert into rocpd_info_thread{u} values (1, 1, 1, ?, '')", (TID,))
    for i in range(3):
        run(f"insert into rocpd_info_agent{u} values (?, 1, 1, ?, ?, ?, ?, ?, ?)", (
            i, "GPU" if i else "CPU", 2 * i, i, max(i - 1, 0), "gfx942" if i else "AMD EPYC", "AMD Instinct MI300X" if i else "AMD EPYC"))
    for i, name in enumerate(NAMES):
        run(f"insert into rocpd_info_kernel_symbol{u} values (?, ?, ?)", (i + 1, f"_Z{i}.kd", name))
    def insert(table, values):
        run(f"insert into {table}{u} values (null{', ?' * len(values)})", values)
    for c in calls:
        insert("rocpd_region", at(c["start"], c["end"]) + (text(c["name"]), event("HIP_RUNTIME_API", c["correlation"])))
    for i, k in enumerate(kernels):
        own = () if has_spine else (k["agent"], k["queue"], k["stream"])
        insert("rocpd_kernel_dispatch", at(k["start"], k["end"], k["agent"], k["queue"], k["stream"]) + own +
               (k["kernel"], i + 1, 64, 1, 1, 1024, 1024, 1, event("KERNEL_DISPATCH", k["correlation"])))
    for c in copies:
        own = () if has_spine else (None, None)
        insert("rocpd_memory_copy", at(c["start"], c["end"], c["agent"]) + own +
               (text(direction(c)), ends_of(c)[1], ends_of(c)[0], c["bytes"], event("MEMORY_COPY", c["correlation"])))
    run(f"insert into rocpd_memory_allocate{u} values (1, 5)")
    # The views of the real thing, which join the tables of all processes; the reader does not run them.
    run(f"create view rocpd_kernel_dispatch as select * from rocpd_kernel_dispatch{u}")
    db.commit()
    db.execute("vacuum")
    db.close()


def union(spans):
    total, reach = 0, -1
    for start, end in sorted(spans):
        total += max(0, end - max(start, reach))
        reach = max(reach, end)
    return total


def main():
    calls, kernels, copies = run()
    def put(name, data):
        with open(os.path.join(HERE, name), "wb") as out:
            out.write(gzip.compress(data, 9, mtime=0))
    for name, text in csv_files(calls, kernels, copies).items():
        put(f"rocprof/{name}.gz", text.encode())
    put("rocprof/rocprof_results.json.gz", json_file(calls, kernels, copies).encode())
    for name, has_spine in (("rocpd_v3.db", False), ("rocpd_v4.db", True)):
        with tempfile.TemporaryDirectory() as folder:
            database(f"{folder}/x", calls, kernels, copies, has_spine)
            put(f"rocprof/{name}.gz", open(f"{folder}/x", "rb").read())
    print("calls", len(calls), sum(c["end"] - c["start"] for c in calls))
    for agent in (1, 2):
        mine = [k for k in kernels if k["agent"] == agent]
        others = [c for c in copies if c["agent"] == agent]
        print("agent", agent, "kernels", len(mine), sum(k["end"] - k["start"] for k in mine), "copies", len(others),
              sum(c["end"] - c["start"] for c in others), sum(c["bytes"] for c in others), "busy", union([(k["start"], k["end"]) for k in mine + others]))
    for i, name in enumerate(NAMES):
        mine = [k for k in kernels if k["kernel"] == i + 1]
        print(name, len(mine), sum(k["end"] - k["start"] for k in mine))


main()
