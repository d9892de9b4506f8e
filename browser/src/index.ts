export { findChromium, type Browser } from './find-chromium.ts'
export { runInPage, type Served } from './run-in-page.ts'
