import { dialectOf } from '@dragoman/core/provider'
import type { Route } from '../route.ts'
import type { MediaRequest, MediaRules, StreamContext } from './rules.ts'
import { writingFor, type AnsweredCall } from './write-answer.ts'

export function streamContext<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  call: AnsweredCall,
  { card, protocol }: Pick<Route, 'card' | 'protocol'>,
  operation: string,
  asked: Request,
): StreamContext<Request> {
  return {
    writing: writingFor(rules, call, asked),
    operation,
    issuer: card.issuer ?? protocol.issuer,
    dialect: dialectOf(card, protocol.name),
    asked,
  }
}
