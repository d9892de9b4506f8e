import { expect, it } from 'vitest'
import { fillSettings } from '../src/fill-settings.ts'
import { fakeProvider, scriptedTransport } from './scripted.ts'

it('keeps no responses and no usage by default', () => {
  const settings = fillSettings({ providers: [fakeProvider('acme', ['chat'])], transport: scriptedTransport() })
  expect(settings.log).toBeUndefined()
  expect(settings.ledger).toBeUndefined()
})
