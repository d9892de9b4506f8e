import { setTimeout as pause } from 'node:timers/promises'
import { ask, type Answered } from '../server/ask.ts'
import { PROTOCOLS, providerOf, type Form } from '../server/providers.ts'
import { POINTS, type Plan } from '../upstream/plan.ts'
import type { AuditUpstream } from '../upstream/start-upstream.ts'
import { MOST_TOKENS, PROMPT } from './judge.ts'
import { askAndLeave } from './leave.ts'

/** A call that the audit makes. */
export interface AuditCall {
  /** Of the call, in the books of both sides: also the model that it asks for. */
  readonly name: string
  readonly form: Form
  readonly stream: boolean
  readonly plan: Plan
}

export type Kind = 'answer' | 'refuse' | 'leave' | 'break'

/** Long enough that a request which is not answered cannot have met a connection that was closed before. */
export const WORK_MS = 1200
/** The forms of whole answers. */
const WHOLE: readonly Form[] = [...PROTOCOLS, 'rerank']
/** How long the upstream works on, after a caller has left. */
const LATE_MS = 50

/** Calls of these kinds, in all protocols, whole and streamed, and for reranking, at every point: all combinations, again and again. The counts differ from call to call. */
export function callsOf(kinds: readonly Kind[], many: number, prefix = 'm'): readonly AuditCall[] {
  const shapes = kinds.flatMap((kind) =>
    [true, false].flatMap((stream) =>
      (stream ? PROTOCOLS : WHOLE).flatMap((form) =>
        (kind === 'leave' || kind === 'break' ? POINTS : [undefined]).map((point) => ({
          kind,
          stream,
          form,
          point,
        })),
      ),
    ),
  )
  return Array.from({ length: many }, (_, index) => {
    // Steps through all shapes in an order that mixes them: 7 divides no number of shapes.
    const { kind, stream, form, point } = shapes[(index * 7) % shapes.length] ?? {
      kind: 'answer',
      stream: false,
      form: 'chat' as const,
      point: undefined,
    }
    const output = form === 'rerank' ? 0 : (index * 53) % MOST_TOKENS
    const bills = { input: 20 + ((index * 37) % 900), output }
    const plan: Plan = {
      bills,
      ...(kind === 'break' && point === 'before-head' ? { delayMs: WORK_MS } : {}),
      ...(kind === 'refuse' ? { status: index % 2 === 0 ? 400 : 500 } : {}),
      ...(point === undefined ? {} : kind === 'leave' ? { holdAt: point } : { breakAt: point }),
    }
    return { name: `${prefix}-${index}`, form, stream, plan }
  })
}

/** Makes a call as its plan says. A caller that leaves gets status 0. */
export async function makeCall(
  url: string,
  secret: string,
  call: AuditCall,
  upstream: AuditUpstream,
): Promise<Pick<Answered, 'status'>> {
  const { name, form, stream, plan } = call
  upstream.plan(plan, name)
  const asked = { model: `${providerOf(form)}/${name}`, stream, prompt: PROMPT, maxTokens: MOST_TOKENS }
  if (plan.holdAt === undefined) return ask(url, secret, form, asked)
  await askAndLeave(url, secret, form, asked, upstream)
  await pause(LATE_MS)
  upstream.release(name)
  return { status: 0 }
}

/** Makes calls, several at once. */
export async function makeCalls(
  calls: readonly AuditCall[],
  atOnce: number,
  make: (call: AuditCall) => Promise<unknown>,
): Promise<void> {
  const queue = calls.values()
  // All of them take from the same queue.
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const call of queue) await make(call)
    }),
  )
}
