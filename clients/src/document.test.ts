import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLIENTS } from './all-clients.ts'
import { SCENES } from './codex-scenes.ts'
import { DOCUMENT, renderDocument } from './document.ts'
import { FIXTURES, type Fixture } from './fixture.ts'
import { describeCell, readResult, RESULTS, type RecordedClient } from './result.ts'
import { cellsOf } from './scenarios.ts'

it('docs/clients.md shows the recorded results', () => {
  const text = readFileSync(DOCUMENT, 'utf8')
  expect(renderDocument(text, CLIENTS)).toBe(text)
})

it('every client has a name of its own', () => {
  expect(new Set(CLIENTS.map(({ name }) => name)).size).toBe(CLIENTS.length)
})

it('codex is recorded with all of its own runs', () => {
  expect(readResult('codex')?.scenes).toEqual(SCENES.map(({ title }) => ({ title, problems: [] })))
})

describe.each(CLIENTS.filter(({ name, language }) => language === 'javascript' || isRecorded(name)))(
  '$name',
  (client) => {
    it('is recorded with every scenario and every upstream', () => {
      const { results } = JSON.parse(readFileSync(join(RESULTS, `${client.name}.json`), 'utf8')) as RecordedClient // written by writeResult
      expect(results.map(describeCell)).toEqual(cellsOf(client).map(describeCell))
    })

    it('has requests to replay, which are checked for the signatures that it returns', () => {
      const { echoes } = JSON.parse(readFileSync(join(FIXTURES, `${client.name}.json`), 'utf8')) as Fixture // written by writeFixture
      expect(echoes).toBe(client.echoes)
    })
  },
)

function isRecorded(name: string): boolean {
  return existsSync(join(RESULTS, `${name}.json`))
}
