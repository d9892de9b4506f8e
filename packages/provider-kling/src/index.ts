export { createKling, createKling as createProvider, fromEnvironment, kling } from './kling.ts'
