import { readFileSync } from 'node:fs'
import { isPattern, type Card } from '@dragoman/core/provider'
import { expect, it } from 'vitest'
import { cards } from './priced-cards.ts'

const SOURCE = /^https:\/\/|^@?[a-z/-]+ \d+\.\d+\.\d+$|^BerriAI\/litellm |^public documentation$/
const DATE = /^2026-(?:0[1-9]|1[0-2])(?:-\d\d)?$/

it('every card says from where its name, its limits and its prices are, and of which date', () => {
  const listed = [...cards].filter(([, { name }]) => !isPattern(name))
  const unnamed = listed.filter(([, card]) => sourcesOf(card, 'name').length === 0)
  const unlimited = listed.filter(
    ([, card]) => (card.context ?? card.maxOutput) !== undefined && sourcesOf(card, 'limits').length === 0,
  )
  expect([...unnamed, ...unlimited].map(([id]) => id)).toEqual([])
  const all = [...cards].flatMap(([id, { sources = [] }]) => sources.map((source) => ({ id, ...source })))
  expect(all.filter(({ from, date }) => !SOURCE.test(from) || !DATE.test(date))).toEqual([])
})

it('the sources of the prices of a card are those under which the tables of this test have them', () => {
  const wanted = statedSources()
  const named = [...cards].flatMap(([id, card]) => sourcesOf(card, 'prices').map((source) => `${id} ${source}`))
  expect(named.toSorted()).toEqual([...wanted].toSorted())
})

function sourcesOf({ sources = [] }: Card, fact: 'name' | 'limits' | 'prices'): readonly string[] {
  return sources.filter(({ facts }) => facts.includes(fact)).map(({ from, date }) => `${from} ${date}`)
}

/** `<model> <source> <date>` of every price in the tables. */
function statedSources(): ReadonlySet<string> {
  const stated = new Set<string>()
  const [, date = '', from = ''] = /^# (\S+) (.+)$/m.exec(read('catalogue-prices.txt')) ?? []
  for (const line of read('catalogue-prices.txt').split('\n'))
    if (line !== '' && !line.startsWith('#')) stated.add(`${modelOf(line)} ${from} ${date}`)
  let source = ''
  for (const line of read('vendor-prices.txt').split('\n')) {
    const [, page, day] = /^# (https:\S+) \((\d[\d-]+)\)/.exec(line) ?? []
    if (page !== undefined) source = `${page} ${day}`
    else if (line !== '' && !line.startsWith('#')) stated.add(`${modelOf(line)} ${source}`)
  }
  return stated
}

function modelOf(line: string): string {
  return line.replace(/^- /, '').split(' ', 1)[0] ?? ''
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}
