// Starts the page: draws from the overview at once, completes when the document is parsed.
import { App } from './app';

const app = new App();
void app.start();
// For tests and for people in the console: window.performanceMap.
(window as unknown as { performanceMap: App }).performanceMap = app;
