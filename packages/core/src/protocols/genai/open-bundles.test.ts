import { expect, it } from 'vitest'
import type { Part } from '../../ir/part.ts'
import { wrapBundle } from '../../ir/seal.ts'
import { openBundles } from './open-bundles.ts'

const FOREIGN = { issuer: 'elsewhere', value: 'sig_1' }
const OWN = { issuer: 'google', value: 'sig_2' }

it.each([undefined, { genai: { x: 1 } }])(
  'a signature without text after reasoning of another issuer stays a part of its own; extras: %j',
  (extras) => {
    const bundle = wrapBundle({
      before: [
        { length: 3, seal: FOREIGN },
        { length: 0, signed: true },
      ],
    })
    const hidden: Part = { type: 'reasoning', text: '', seal: OWN, ...(extras === undefined ? {} : { extras }) }
    const parts: Part[] = [
      { type: 'reasoning', text: 'say' },
      hidden,
      { type: 'text', text: '', seal: { issuer: 'google', value: bundle } },
    ]
    expect(openBundles(parts)).toEqual([
      { type: 'reasoning', text: 'say', seal: FOREIGN },
      { ...hidden, hidden: true },
    ])
  },
)
