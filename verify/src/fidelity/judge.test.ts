import { describe, expect, it } from 'vitest'
import type { Converted, Converter } from './converter.ts'
import { CORPUS } from './corpus.ts'
import { dragoman } from './dragoman.ts'
import { objectOf } from './json.ts'
import { judge, type Check } from './judge.ts'

/** dragoman with a changed output. */
const doctored = (change: (converted: Converted) => Converted): Converter => ({
  ...dragoman,
  convert: async (task) => change(await dragoman.convert(task)),
})

const of = (checks: readonly Check[], verdict: string) => checks.filter((check) => check.verdict === verdict)

describe('the judge', async () => {
  const honest = await judge(dragoman, CORPUS)

  it('calls losses silent when their report is withheld', async () => {
    const checks = await judge(
      doctored(({ wire }) => ({ wire, report: [] })),
      CORPUS,
    )
    expect(of(checks, 'silent').length + of(checks, 'wrong').length).toBe(of(honest, 'reported').length)
  })

  it('finds almost nothing in an empty body: only that values are absent', async () => {
    const checks = await judge(
      doctored(() => ({ wire: {}, report: [] })),
      CORPUS,
    )
    expect(of(checks, 'kept').length).toBeLessThan(checks.length / 40)
  })

  it('calls another value wrong', async () => {
    const checks = await judge(
      doctored(({ wire, report }) => ({ wire: 'temperature' in wire ? { ...wire, temperature: 0.9 } : wire, report })),
      CORPUS.filter(({ name }) => name === 'a temperature'),
    )
    expect(of(checks, 'wrong').map(({ to }) => to)).toEqual(expect.arrayContaining(['chat', 'messages']))
  })

  it('distinguishes a refusal that names the fact from a crash', async () => {
    const corpus = CORPUS.filter(({ name, kind }) => name === 'penalties' && kind === 'request')
    const refusing: Converter = {
      ...dragoman,
      convert() {
        throw new Error('presence_penalty is not supported')
      },
    }
    const checks = await judge(refusing, corpus)
    expect(new Set(checks.map(({ fact, verdict }) => `${fact}: ${verdict}`))).toEqual(
      new Set(['the presence penalty: reported', 'the frequency penalty: crashed']),
    )
  })

  it('notices a response that loses its signatures before it returns to its upstream', async () => {
    const forgetful = doctored(({ wire, report }) => {
      const text = JSON.stringify(wire).replaceAll(/"(signature|data|thoughtSignature|id)":"[^"]*"/g, '"$1":""')
      return { wire: objectOf(JSON.parse(text)), report }
    })
    const sealed = CORPUS.filter(
      ({ name, kind, echoed }) => echoed === true && kind === 'response' && /signed/.test(name),
    )
    const checks = await judge(forgetful, sealed)
    expect(of(checks, 'kept').filter(({ fact }) => fact.includes('signature'))).toEqual([])
  })
})
