import { known, unknownOf, type Known } from '../../ir/extras.ts'
import type { ObjectSchema } from '../../lib/grammar/members.ts'
import type { Json, JsonObject } from '../../lib/json.ts'

/** The known members of an item, and its status: every item of an answer has one, and collecting it would cost more than all the rest. */
export function knownItem(schema: ObjectSchema): Known {
  return new Map([...known(schema), ['status', null]])
}

/** Unknown members of an item. Whether it is complete, the whole response says. */
export function unknownOfItem(item: object, known: Known): JsonObject | undefined {
  const rest = unknownOf(item, known)
  const { status } = item as JsonObject // parsed JSON
  return isUsual(status) ? rest : { ...rest, status }
}

/** The status of an item as extras, if it says more than the whole response. */
export function unusual(status: Json | undefined): { readonly status?: Json } {
  return isUsual(status) ? {} : { status }
}

function isUsual(status: Json | undefined): status is 'completed' | 'incomplete' | undefined {
  return status === undefined || status === 'completed' || status === 'incomplete'
}
