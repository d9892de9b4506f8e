import { defined } from '../lib/members.ts'
import type { CustomTool, FunctionTool } from './tool.ts'

/** The member of a function's arguments that holds the text of a custom tool. */
export const TEXT_MEMBER = 'input'

/** A custom tool as a function, for targets whose tools take JSON: its grammar is stated in words. */
export function functionOfCustom({ name, description, grammar }: CustomTool): FunctionTool {
  const rule = grammar && `The input is plain text that matches this ${grammar.syntax} grammar:\n${grammar.definition}`
  const described = [description, rule].filter((text) => text !== undefined && text !== '').join('\n\n')
  return defined({
    type: 'function' as const,
    name,
    description: described === '' ? description : described,
    schema: { dialect: 'json-schema' as const, value: TEXT_SCHEMA },
  })
}

const TEXT_SCHEMA = {
  type: 'object',
  properties: { [TEXT_MEMBER]: { type: 'string' } },
  required: [TEXT_MEMBER],
}
