import { applyQuirks } from './apply-quirks.ts'
import { composeLosses } from './compose.ts'
import type { Quirk, RequestQuirks } from './quirk.ts'
import { encodeRenames } from './rename.ts'

/** The quirks of a card for `translate`; undefined if there are none. */
export function prepareQuirks(quirks: readonly Quirk[] | undefined): RequestQuirks | undefined {
  if (quirks === undefined || quirks.length === 0) return undefined
  return {
    apply(request) {
      const quirked = applyQuirks(quirks, request)
      return {
        request: quirked.request,
        report: (encoding, original) => composeLosses(quirked.losses, encoding, original),
      }
    },
    rename: (wire) => encodeRenames(quirks, wire),
  }
}
