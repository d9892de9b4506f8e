import { describe, expect, it } from 'vitest'
import { NotInstalledError } from '../client.ts'
import { findProgram } from './find-program.ts'

describe('a language', () => {
  it('is not installed if none of its programs runs', () => {
    expect(() => findProgram('Cobol', ['no-such-program'], '--version')).toThrow(NotInstalledError)
    expect(() => findProgram('Cobol', ['no-such-program'], '--version')).toThrow('Cobol is not installed')
  })

  it('is not installed if its version does not fit', () => {
    const find = () => findProgram('Node 7', [process.execPath], '--version', (printed) => printed.startsWith('v7.'))
    expect(find).toThrow(NotInstalledError)
  })
})
