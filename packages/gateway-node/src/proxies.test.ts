import { describe, expect, it } from 'vitest'
import { proxyFor, readProxies } from './proxies.ts'

const PROXIES = { http: 'http://plain.example:3128', https: 'http://secure.example:3128' }

describe('proxies in the environment', () => {
  it('are read in both cases, lower case first, and need no scheme', () => {
    const environment = {
      HTTPS_PROXY: 'http://upper:1',
      https_proxy: 'lower:2',
      HTTP_PROXY: ' ',
      NO_PROXY: 'a.example',
    }
    expect(readProxies(environment)).toEqual({ http: undefined, https: 'http://lower:2', except: 'a.example' })
  })

  it('are refused without being repeated', () => {
    for (const wrong of ['socks5://user:canary@proxy', 'http://user:canary@', 'http://[canary'])
      expect(() => readProxies({ HTTPS_PROXY: wrong })).toThrow(
        /^HTTPS_PROXY must be the http or https URL of a proxy\.$/,
      )
  })
})

describe('the proxy for an origin', () => {
  it('depends on its scheme', () => {
    expect(proxyFor(PROXIES, 'https://api.example')).toBe(PROXIES.https)
    expect(proxyFor(PROXIES, 'http://api.example')).toBe(PROXIES.http)
    expect(proxyFor({ http: PROXIES.http }, 'https://api.example')).toBeUndefined()
  })

  it.each(['http://localhost:11434', 'http://127.0.0.1', 'http://[::1]:1', 'https://models.localhost'])(
    'is direct to %s, which is this machine',
    (origin) => {
      expect(proxyFor(PROXIES, origin)).toBeUndefined()
    },
  )

  it.each([
    ['api.example', 'https://api.example', true],
    ['api.example', 'https://eu.api.example', true],
    ['api.example', 'https://other-api.example', false],
    ['.api.example', 'https://eu.api.example', true],
    ['*.api.example', 'https://eu.api.example', true],
    ['API.example.', 'https://api.example./', true],
    ['one.example, api.example', 'https://api.example', true],
    ['one.example api.example', 'https://api.example', true],
    ['*', 'https://api.example', true],
    ['api.example:8443', 'https://api.example', false],
    ['api.example:443', 'https://api.example', true],
    ['10.0.0.1', 'http://10.0.0.1:9000', true],
    ['[2001:db8::1]:8000', 'http://[2001:db8::1]:8000', true],
    ['[2001:db8::1]:8000', 'http://[2001:db8::1]:8001', false],
    ['2001:db8::1', 'http://[2001:db8::1]:8000', true],
    ['', 'https://api.example', false],
  ])('with the exception "%s" is direct to %s: %s', (except, origin, direct) => {
    expect(proxyFor({ ...PROXIES, except }, origin) === undefined).toBe(direct)
  })
})
