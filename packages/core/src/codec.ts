// What the protocols here are made of, for those that live elsewhere. Everybody else needs `index.ts` alone.
export { objectArguments, readArguments, reportKept } from './ir/arguments.ts'
export { leftover, nest, restore, unknownOf } from './ir/extras.ts'
export { grow, grownText, patch } from './ir/fold.ts'
export { reportForeign, reportForeignExtras, reportForeignToken } from './ir/leftovers.ts'
export { NO_LOSSES } from './ir/loss.ts'
export { displayName, releaseDate } from './ir/model.ts'
export { countCalls, pairCalls, type Pairs } from './ir/pairs.ts'
export { budgetOfEffort, effortOf, reportReasoning } from './ir/reasoning-wish.ts'
export { decodedSchema, reducedSchema, standardSchema } from './ir/schema.ts'
export {
  carry,
  isSealed,
  openId,
  sealId,
  unwrap,
  unwrapBytes,
  wrap,
  wrapBytes,
  type Opened,
  type Target,
} from './ir/seal.ts'
export type { EventOf } from './ir/stream.ts'
export { withoutOptions } from './ir/tool.ts'
export { arrangeTurns, bareText, eachPart, leadingInstructions, type Turn } from './ir/turns.ts'
export { overwrite } from './ir/usage.ts'
export { formatDataUrl, parseDataUrl, type DataUrl } from './lib/data-url.ts'
export type { Draft } from './lib/draft.ts'
export { isEmpty, listOf, merge, numberOf, objectOf, overwritten, stringOf } from './lib/json.ts'
export { createGrown, type Grown } from './lib/grown.ts'
export { createLanes, type Lane, type Lanes } from './lib/lanes.ts'
export { createRepeat, type Repeat } from './lib/repeat.ts'
export * as schema from './lib/schema.ts'
export { template } from './lib/template.ts'
export { cacheControl } from './protocols/cache-control.ts'
export { checkBody } from './protocols/check-body.ts'
export { asUpstreamError, readAnswer } from './protocols/lenient.ts'
export { kindOfStatus, STATUS_OF } from './protocols/statuses.ts'
export { createTap, type FrameFacts, type TapRules } from './protocols/tap.ts'
