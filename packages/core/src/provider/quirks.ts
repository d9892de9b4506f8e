import { applyQuirks } from '../ir/apply-quirks.ts'
import { describeLoss } from '../ir/loss.ts'
import type { Quirk } from '../ir/quirk.ts'
import { renamedMember } from '../ir/rename.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Match } from '../protocols/context.ts'
import type { Protocol } from '../protocols/protocol.ts'

/** Why a body cannot be relayed to an upstream with these quirks; undefined if none of them changes it. */
export function quirkObstacle(
  protocol: Protocol,
  quirks: readonly Quirk[],
  body: JsonObject,
  match?: Pick<Match, 'model' | 'stream' | 'framing'>,
): string | undefined {
  const renamed = renamedMember(quirks, body)
  if (renamed !== undefined) return `${renamed} has another name there`
  const request = protocol.request.decode(body, { issuer: protocol.issuer, path: match })
  // The gateway always requests usage, whatever the caller sent.
  const asked = request.delivery.stream ? { ...request, delivery: { ...request.delivery, usage: true } } : request
  const [loss] = applyQuirks(quirks, asked).losses
  return loss === undefined ? undefined : describeLoss(loss)
}
