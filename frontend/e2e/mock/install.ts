// Puts the stand-in on the page before the program's own script runs.
import { MockWindow, type MockOptions } from './window';

declare global {
  interface Window {
    mock: MockWindow;
    mockOptions?: MockOptions;
  }
}

window.mock = new MockWindow(window.mockOptions);
Object.assign(window, window.mock.host());
