import { describe, expect, it } from 'vitest'
import { carry, isSealed, openId, sealId, unwrap, unwrapBytes, wrap, wrapBytes, type Seal } from './seal.ts'

const seal: Seal = { issuer: 'anthropic', value: 'EqQB.with.dots+/==' }

describe('seals in string fields', () => {
  it.each(['self', 'next', 'previous', 'behind'] as const)('come back from another protocol for %s', (target) => {
    expect(unwrap(wrap(seal, target), 'openai')).toEqual({ seal, target })
  })

  it('are plain in their own domain and wrapped in any other', () => {
    expect(carry(seal, 'anthropic')).toBe(seal.value)
    expect(unwrap(carry(seal, 'anthropic'), 'anthropic').seal).toEqual(seal)
    expect(carry(seal, 'openai')).not.toBe(seal.value)
    expect(unwrap(carry(seal, 'openai'), 'openai').seal).toEqual(seal)
  })

  it('have a mark for unsigned on purpose', () => {
    expect(unwrap(carry(undefined, 'anthropic'), 'anthropic')).toEqual({ target: 'self' })
    expect(carry(undefined, 'anthropic')).not.toBe('')
  })

  it('are not read from an empty string or a placeholder of a client', () => {
    for (const text of ['', 'skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']) {
      expect(unwrap(text, 'google')).toEqual({ target: 'self' })
    }
  })

  it.each(['dg1.', 'dg1..', 'dg1.x', 'dg1...', 'dg1.openai.elsewhere.value', 'dg1.__proto__.constructor.x'])(
    'never throw for %j',
    (text) => {
      const { target } = unwrap(text, 'anthropic')
      expect(['self', 'next', 'previous']).toContain(target)
      expect(unwrap(text, 'anthropic').seal?.issuer).not.toBe('anthropic')
    },
  )
})

describe('seals in byte fields', () => {
  it('come back, in either base64 alphabet', () => {
    const odd = { issuer: 'openai', value: 'ÿÿÿ???>>>' }
    const bytes = wrapBytes(odd, 'next')
    expect(unwrapBytes(bytes, 'google')).toEqual({ seal: odd, target: 'next' })
    const urlSafe = bytes.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
    expect(unwrapBytes(urlSafe, 'google')).toEqual({ seal: odd, target: 'next' })
  })

  it('are the field itself if it is not wrapped', () => {
    for (const bytes of ['Eo8=', 'ZGcxL!!!', 'ZGcxL']) {
      expect(unwrapBytes(bytes, 'google')).toEqual({ seal: { issuer: 'google', value: bytes }, target: 'self' })
    }
  })
})

describe('seals in ids', () => {
  it('come back with the id', () => {
    const id = sealId('call_1', seal)
    expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
    expect(openId(id)).toEqual({ id: 'call_1', seal })
  })

  it('leave an id without a seal as it is', () => {
    expect(sealId('call_1', undefined)).toBe('call_1')
    expect(openId('call_1')).toEqual({ id: 'call_1' })
  })

  it('are left out if the id would be too long', () => {
    expect(sealId('call_1', { issuer: 'google', value: 'x'.repeat(10_000) })).toBe('call_1')
    expect(sealId('call_1', { issuer: 'google', value: 'x'.repeat(4000) }).length).toBeLessThanOrEqual(8192)
  })

  it.each([
    'dg1_',
    'dg1_!!!!',
    `dg1_${btoa('not json')}`,
    `dg1_${btoa('{"id":"x"}')}`,
    `dg1_${btoa('["id"]')}`,
    `dg1_${btoa('["id","issuer",7]')}`,
    `dg1_${btoa('["id","issuer","value","more"]')}`,
    `dg1_${'A'.repeat(100_000)}`,
    `dg1_${btoa('['.repeat(3000))}`,
  ])('leave an id of a client unchanged: %.40s', (id) => {
    expect(openId(id)).toEqual({ id })
  })

  it('are detected without being opened', () => {
    expect([wrap(seal, 'self'), sealId('a', seal), 'toolu_1', 'EqQB', 7, undefined].map(isSealed)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })
})
