import type { Head, Peek } from '@dragoman/core'
import { hashText } from '../bodies/hash-text.ts'
import type { Survey } from '../bodies/survey.ts'

/** Headers in which clients name their session, best first: Claude Code, Codex and opencode send one of them. */
const SESSION_HEADERS = [
  'x-claude-code-session-id',
  'session-id',
  'session_id',
  'x-session-id',
  'x-opencode-session',
  'x-session-affinity',
]

/** What calls of one conversation have in common: a session header, a member of the body, or how the conversation begins. */
export function identityOf(
  head: Head,
  { conversation }: Pick<Peek, 'conversation'>,
  survey: Pick<Survey, 'opening'> | undefined,
): string | undefined {
  for (const name of SESSION_HEADERS) {
    const session = head.header(name)
    if (session !== undefined && session !== '') return `session ${session}`
  }
  if (conversation !== undefined) return `key ${conversation}`
  return survey === undefined ? undefined : `opening ${survey.opening}`
}

/** A conversation of a caller in usage records: 16 hexadecimal digits that do not show its name. Empty if it is unknown. */
export function digestOf(caller: string | undefined, identity: string | undefined): string {
  return identity === undefined ? '' : hashText(`${caller ?? ''}\n${identity}`)
}
