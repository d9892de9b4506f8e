import { protocols } from '@dragoman/core/protocols'
import { describe, it } from 'vitest'
import { mustReadSameAtAnyCut } from '../../laws/cuts.ts'
import { SCRIPTS_OF } from './scripts-of.ts'

describe.each(protocols)('$name', (protocol) => {
  const streams = (SCRIPTS_OF[protocol.name] ?? []).filter(({ answer }) => answer.frames !== undefined)

  it.each(streams)('$title: reads the same with a cut at any position', ({ answer }) => {
    mustReadSameAtAnyCut(protocol, (answer.frames ?? []).join(''))
  })
})
