import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryLog } from '@dragoman/gateway'
import { expect, it, onTestFinished } from 'vitest'
import { configSchema } from './config/schema.ts'
import { readConfiguration } from './configuration.ts'
import { createSetup } from './setup.ts'

it('the example in docs/configuration.md is valid and has every member', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')
  const [, example = ''] = /```yaml\n([\s\S]+?)```/.exec(text) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-example-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'dragoman.config.yaml')
  writeFileSync(file, example)
  const names = ['OPENAI_API_KEY', 'ANTHROPIC_KEY_ONE', 'ANTHROPIC_KEY_TWO', 'HOUSE_KEY', 'CI_KEY']
  const environment = {
    ...Object.fromEntries(names.map((name) => [name, 'a-secret-of-16-characters'])),
    SEALING_KEY: 'a key of at least 32 characters for tests',
  }
  const { config, plan } = await readConfiguration({ environment, file, isStart: true })
  const { gateway, providers } = createSetup({
    environment,
    config,
    plan,
    log: createMemoryLog(),
    accounts: { keys: { find: () => undefined }, addressOf: () => undefined },
  })
  expect(providers.map(({ name }) => name)).toEqual(['sim', 'openai', 'anthropic', 'house', 'lab', 'twin'])
  const { $schema: _editors, ...parts } = configSchema.shape
  expect(Object.keys(config)).toEqual(Object.keys(parts))
  await gateway.close(0)
})
