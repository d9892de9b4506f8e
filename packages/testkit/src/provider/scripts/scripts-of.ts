import type { AnswerCase, ScriptedAnswer } from '../subject.ts'
import { chatScripts } from './chat.ts'
import { genaiScripts } from './genai.ts'
import { messagesScripts } from './messages.ts'
import { responsesScripts } from './responses.ts'

/** One line per protocol. */
export const SCRIPTS_OF: { readonly [protocol: string]: readonly AnswerCase[] } = {
  chat: chatScripts,
  messages: messagesScripts,
  genai: genaiScripts,
  responses: responsesScripts,
}

/** A plain response of a protocol, whole or streamed. */
export function plainAnswer(protocol: string, stream: boolean): ScriptedAnswer {
  const script = SCRIPTS_OF[protocol]?.find(({ answer }) => (answer.frames !== undefined) === stream)
  if (script === undefined) throw new Error(`no responses for the protocol ${protocol}`)
  return script.answer
}
