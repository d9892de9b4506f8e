import { protocols } from '@dragoman/core'
import { describe, it } from 'vitest'
import { mustReadAlike } from '../../laws/cuts.ts'
import { SCRIPTS_OF } from './scripts-of.ts'

describe.each(protocols)('$name', (protocol) => {
  const streams = (SCRIPTS_OF[protocol.name] ?? []).filter(({ answer }) => answer.frames !== undefined)

  it.each(streams)('$title: reads the same wherever it is cut', ({ answer }) => {
    mustReadAlike(protocol, (answer.frames ?? []).join(''))
  })
})
