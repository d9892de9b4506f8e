import type { CacheMark } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { record } from './record.ts'

export function cacheMark(): Arbitrary<CacheMark> {
  return record<CacheMark>({}, { ttl: fc.constantFrom('5m', '1h') })
}
