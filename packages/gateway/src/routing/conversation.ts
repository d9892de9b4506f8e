import type { Head, Peek } from '@dragoman/core'
import type { Survey } from './survey.ts'

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
export function identityOf(head: Head, { conversation }: Peek, survey: Survey | undefined): string | undefined {
  for (const name of SESSION_HEADERS) {
    const session = head.header(name)
    if (session !== undefined && session !== '') return `session ${session}`
  }
  if (conversation !== undefined) return `key ${conversation}`
  return survey === undefined ? undefined : `opening ${survey.opening}`
}
