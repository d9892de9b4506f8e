import { describe, expect, it } from 'vitest'
import { readSettings } from './settings.ts'

describe('settings', () => {
  const config = {
    server: { host: '0.0.0.0', port: 1, cors: ['https://file.example'], log: 'warn', grace: 5 },
    defaults: { unsupportedFields: 'accept', keepAlive: 2.5 },
    limits: { body: '2 MB', answer: 1000, headers: '8KB', perKey: 3, counts: { tools: 7 }, time: { head: 1, body: 4 } },
    downloads: { http: true, size: '1 MB', count: 3, time: 2.5 },
  } as const

  it('come from the file', () => {
    expect(readSettings({}, { ...config, server: { ...config.server, cors: [...config.server.cors] } })).toMatchObject({
      host: '0.0.0.0',
      port: 1,
      origins: ['https://file.example'],
      logLevel: 'warn',
      graceMs: 5000,
      unsupportedFields: 'accept',
      keepAliveMs: 2500,
      bodyMs: 4000,
      headerBytes: 8192,
      limits: { body: 2 * 1024 * 1024, answer: 1000, perKey: 3, downloads: 3, counts: { tools: 7 } },
      downloads: { http: true, limit: 1024 * 1024, deadlines: { total: 2500 } },
      deadlines: { head: 1000 },
    })
  })

  it('come from the environment if a variable is set', () => {
    const environment = {
      HOST: '::1',
      PORT: '0',
      DRAGOMAN_CORS: '*',
      DRAGOMAN_LOG: 'error',
      DRAGOMAN_GRACE_SECONDS: '0',
      DRAGOMAN_UNSUPPORTED_FIELDS: 'refuse',
      DRAGOMAN_DATA: '',
      DRAGOMAN_DOWNLOADS: 'off',
    }
    expect(readSettings(environment, { ...config, server: { ...config.server, cors: [] } })).toMatchObject({
      host: '::1',
      port: 0,
      origins: '*',
      logLevel: 'error',
      graceMs: 0,
      unsupportedFields: 'refuse',
    })
  })

  it('are absent if neither sets them, so that the gateway uses its defaults', () => {
    const settings = readSettings({})
    expect(settings).toMatchObject({ host: '127.0.0.1', port: 8080, origins: [], limits: {}, deadlines: {} })
    expect(settings).not.toHaveProperty('keepAliveMs')
    expect(settings).not.toHaveProperty('usageMs')
    expect(readSettings({}, { limits: { time: { usage: 0 } } })).toHaveProperty('usageMs', 0)
    expect(Object.keys(settings.limits)).toEqual([])
    expect(readSettings({}, { itemMemory: { size: '1 MB', time: 2 } })).toMatchObject({
      itemMemory: { bytes: 1024 * 1024, ms: 2000 },
    })
    expect(readSettings({}, { itemMemory: { enabled: false } })).not.toHaveProperty('itemMemory')
    expect(readSettings({ DRAGOMAN_ITEM_MEMORY: 'off' })).not.toHaveProperty('itemMemory')
    expect(readSettings({}, { downloads: { enabled: false } })).not.toHaveProperty('downloads')
    expect(readSettings({ DRAGOMAN_DOWNLOADS: 'off' })).not.toHaveProperty('downloads')
    expect(readSettings({ DRAGOMAN_DOWNLOADS: 'on' }, { downloads: { enabled: false } })).toHaveProperty('downloads')
  })
})
