import { anthropic } from '@dragoman/provider-anthropic'
import { google } from '@dragoman/provider-google'
import { kling } from '@dragoman/provider-kling'
import { openai } from '@dragoman/provider-openai'
import { vendors } from '@dragoman/provider-openai-compatible'
import { describe, expect, it } from 'vitest'
import { knownProviders, loadDefinition, mentionedProviders } from './known-providers.ts'

describe('known providers', () => {
  const all = [openai, anthropic, google, kling, ...vendors]

  it('are all providers of the packages', () => {
    expect([...knownProviders].sort()).toEqual(all.map(({ name }) => name).sort())
  })

  it.each(all.map((definition) => [definition.name, definition] as const))(
    '%s is seen in every variable that it reads, and loaded by its name',
    async (name, { environment = {} }) => {
      const { keys = [], baseURL = [] } = environment
      const variables = [keys, baseURL].flat(2)
      expect(variables.length).toBeGreaterThan(1)
      for (const variable of variables) expect(mentionedProviders({ [variable]: 'x' })).toEqual([name])
      expect((await loadDefinition(name))?.name).toBe(name)
    },
  )

  it('are not found if a variable is empty', () => {
    expect(mentionedProviders({ OPENAI_API_KEY: '', PATH: '/bin' })).toEqual([])
  })
})
