import { absurdUsage } from './attacks/absurd-usage.ts'
import { adminWords } from './attacks/admin-keys.ts'
import { adminCallsModels } from './attacks/admin-keys.ts'
import { mistypedAdminKey } from './attacks/admin-keys.ts'
import { breakOffWhole } from './attacks/break-off-whole.ts'
import { budgetWords } from './attacks/budget-words.ts'
import { freeCallsAfter402 } from './attacks/budget-words.ts'
import { estimateBase64 } from './attacks/estimate-base64.ts'
import { explainLimits } from './attacks/explain-limits.ts'
import { fallbackPastBudget } from './attacks/fallback-past-budget.ts'
import { guessConfiguredKeys } from './attacks/guesses.ts'
import { shortSecrets } from './attacks/guesses.ts'
import { guessFromManyNetworks } from './attacks/guesses.ts'
import { leaveBeforeFirstByte } from './attacks/leave-before-first-byte.ts'
import { leaveBeforeUsage } from './attacks/leave-before-usage.ts'
import { leaveMedia } from './attacks/leave-media.ts'
import { millionRecords } from './attacks/million-records.ts'
import { toolsModel } from './attacks/restricted-keys.ts'
import { videoOwner } from './attacks/restricted-keys.ts'
import { serviceTier } from './attacks/service-tier.ts'
import { simulatorUninvited } from './attacks/simulator-uninvited.ts'
import { tierEdges } from './attacks/tier-edges.ts'
import { unpricedModel } from './attacks/unpriced-model.ts'
import { kills } from './books/kills.ts'
import { killsPostgres } from './books/kills.ts'
import { outage } from './books/outages.ts'
import { outageServe } from './books/outages.ts'
import { refusedThenCharged } from './books/outages.ts'
import { restartWhileAway } from './books/outages.ts'
import { firstStartPostgres } from './books/outages.ts'
import { load } from './books/scenarios.ts'
import { aborts } from './books/scenarios.ts'
import { breaks } from './books/scenarios.ts'
import { fallbacks } from './books/scenarios.ts'
import type { Scenario } from './scenario.ts'

/** All of them run in the suite, in their short form. */
export const SCENARIOS: readonly Scenario[] = [
  absurdUsage,
  adminWords,
  adminCallsModels,
  mistypedAdminKey,
  breakOffWhole,
  budgetWords,
  freeCallsAfter402,
  estimateBase64,
  explainLimits,
  fallbackPastBudget,
  guessConfiguredKeys,
  shortSecrets,
  guessFromManyNetworks,
  leaveBeforeFirstByte,
  leaveBeforeUsage,
  leaveMedia,
  millionRecords,
  toolsModel,
  videoOwner,
  serviceTier,
  simulatorUninvited,
  tierEdges,
  unpricedModel,
  kills,
  killsPostgres,
  outage,
  outageServe,
  refusedThenCharged,
  restartWhileAway,
  firstStartPostgres,
  load,
  aborts,
  breaks,
  fallbacks,
]
