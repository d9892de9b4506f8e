export { createGoogle, fromEnvironment, google } from './google.ts'
