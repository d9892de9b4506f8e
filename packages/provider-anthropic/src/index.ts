export { anthropic, createAnthropic, fromEnvironment } from './anthropic.ts'
