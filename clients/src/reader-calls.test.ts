import { describe, expect, it } from 'vitest'
import { readerCalls } from './reader-calls.ts'

const tool = (name: string, properties: object, required: readonly string[]) => ({
  name,
  description: '',
  schema: { type: 'object', properties, required },
})

describe('the calls of the tool that reads files', () => {
  it('have the arguments that the schema requires', () => {
    const other = tool('write', { path: { type: 'string' } }, ['path'])
    const reader = tool('read_file', { absolute_path: { type: 'string' }, whole: { type: 'boolean' } }, [
      'absolute_path',
      'whole',
    ])
    expect(readerCalls([other, reader], ['/a', '/b'])).toEqual([
      { call: 'read_file', input: { absolute_path: '/a', whole: false } },
      { call: 'read_file', input: { absolute_path: '/b', whole: false } },
    ])
  })

  it('are refused without such a tool', () => {
    expect(() => readerCalls([tool('write', {}, [])], ['/a'])).toThrow('no tool for reading files: write')
  })
})
