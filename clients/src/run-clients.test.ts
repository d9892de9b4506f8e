import { expect, it } from 'vitest'
import { NotInstalledError, type Client } from './client.ts'
import { describeOutcome, hasFailed, runClients } from './run-clients.ts'

function clientOf(name: string, install: Client['install']): Client {
  return {
    name,
    title: name,
    language: 'python',
    kind: 'library',
    protocol: 'chat',
    echoes: 'calls',
    connect: '',
    install,
  }
}

const FINE: Client['install'] = () => Promise.resolve({ versions: {}, commands: () => [] })

it('goes on after a client that cannot be installed, and fails', async () => {
  const run: string[] = []
  const clients = [clientOf('broken', () => Promise.reject(new Error('pip install failed'))), clientOf('fine', FINE)]
  const outcome = await runClients(clients, ({ name }) => Promise.resolve(run.push(name) - 1))
  expect(run).toEqual(['fine'])
  expect(outcome).toEqual({ ran: 1, failed: 0, broken: ['broken: pip install failed'], skipped: [] })
  expect(hasFailed(outcome)).toBe(true)
  expect(describeOutcome(outcome)).toBe(
    '!!! BROKEN: broken: pip install failed\n\n1 clients, no run failed, 1 clients BROKEN',
  )
})

it('goes on after a client that ends with an error, and fails', async () => {
  const clients = [clientOf('broken', FINE), clientOf('failing', FINE)]
  const outcome = await runClients(clients, ({ name }) =>
    name === 'broken' ? Promise.reject(new Error('spawn ENOENT')) : Promise.resolve(2),
  )
  expect(outcome).toEqual({ ran: 1, failed: 2, broken: ['broken: spawn ENOENT'], skipped: [] })
  expect(hasFailed(outcome)).toBe(true)
})

it('does not fail without a language, but says so', async () => {
  const missing = clientOf('missing', () => Promise.reject(new NotInstalledError('Python is not installed')))
  const outcome = await runClients([missing], () => Promise.resolve(0))
  expect(hasFailed(outcome)).toBe(false)
  expect(describeOutcome(outcome)).toBe(
    '!!! NOT RUN: missing: Python is not installed\n\n0 clients, no run failed, 1 clients NOT RUN',
  )
})
