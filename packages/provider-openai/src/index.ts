export { createOpenAI, fromEnvironment, openai } from './openai.ts'
