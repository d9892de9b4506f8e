import { describe, expect, it } from 'vitest'
import { DragomanError } from '@dragoman/core'
import type { ProviderOptions } from '@dragoman/core/provider'
import { canaries, KEYS, optionsFor, SUITE_MODEL } from './stage.ts'
import type { ProviderSubject } from './subject.ts'

const URL_CANARY = 'canary-4444'

/** A mistake in the options throws at construction. The error has the name of the option and never its value. */
export function describeConstruction(subject: ProviderSubject): void {
  const good = optionsFor(subject, 'https://upstream.example')
  const WRONG: readonly (readonly [option: string, options: object])[] = [
    ['apiKye', { ...good, apiKye: KEYS[0] }],
    ['name', { ...good, name: 'No Name' }],
    ...[
      `ftp://${URL_CANARY}`,
      URL_CANARY,
      '',
      `https://user:${URL_CANARY}@host`,
      `https://host/?key=${URL_CANARY}`,
    ].map((baseURL) => ['baseURL', { ...good, baseURL }] as const),
    ['headers.x-tenant', { ...good, headers: { 'x-tenant': `${URL_CANARY}\nx: y` } }],
    ['headers.no name', { ...good, headers: { 'no name': URL_CANARY } }],
    ['models', { ...good, models: 'gpt' }],
    ['models.0', { ...good, models: [{}] }],
    ['models.0.prize', { ...good, models: [{ name: 'x', prize: 1 }] }],
    ['overrides.nobody', { ...good, overrides: { nobody: {} } }],
    [`overrides.${SUITE_MODEL}.prize`, { ...good, overrides: { [SUITE_MODEL]: { prize: 1 } } }],
    [`models.${SUITE_MODEL}.protocols`, { ...good, overrides: { [SUITE_MODEL]: { protocols: ['morse'] } } }],
    ...(subject.auth === undefined ? [] : [['keys', { ...good, keys: `${KEYS[0]} x` }] as const]),
    ...(subject.auth === undefined ? [] : [['keys', { ...good, keys: [`${KEYS[0]}\n`] }] as const]),
    ...(subject.auth === undefined || subject.auth.optional
      ? []
      : [['keys', { ...good, keys: undefined }] as const, ['keys', { ...good, keys: [] }] as const]),
  ]
  describe('construction', () => {
    it.each(WRONG)('names the invalid option %s', (option, options) => {
      const error = thrownBy(() => subject.create(options)) // as untyped code could pass it
      expect(error).toBeInstanceOf(DragomanError)
      expect(error).toMatchObject({ param: option, message: expect.stringContaining(`"${option}"`) as string })
      expect(canaries(`${error.message} ${error.stack} ${JSON.stringify(error)}`)).toEqual([])
    })

    it('accepts options from a JSON file', () => {
      const provider = subject.create(JSON.parse(JSON.stringify(good)) as ProviderOptions)
      expect(provider.models.map(({ name }) => name)).toContain(SUITE_MODEL)
    })

    const { environment } = subject
    if (environment === undefined) return
    it('is enabled by its environment variables, and only by them', () => {
      expect(environment.enable({})).toEqual([])
      expect(environment.enable({ [environment.key ?? '']: '', [environment.baseURL ?? '']: ' ' })).toEqual([])
      const key = environment.key === undefined ? {} : { [environment.key]: ` ${KEYS[0]} , ${KEYS[1]}` }
      const base = environment.baseURL === undefined ? {} : { [environment.baseURL]: good.baseURL }
      const [provider, ...others] = environment.enable({ ...key, ...base })
      expect(others).toEqual([])
      expect(provider?.protocols).toEqual(subject.create(good).protocols)
      const variable = `DRAGOMAN_${provider?.name.toUpperCase().replaceAll('-', '_')}_MODELS`
      const [more] = environment.enable({ ...key, ...base, [variable]: 'one, org/two' })
      expect(more?.models.map(({ name }) => name)).toEqual(expect.arrayContaining(['one', 'org/two']))
    })
  })
}

function thrownBy(make: () => unknown): Error {
  try {
    make()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing was thrown')
}
