import { aiders } from './agents/aider.ts'
import { claudeCodes } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { continueClis } from './agents/continue-cli.ts'
import { geminiCli } from './agents/gemini-cli.ts'
import { opencodes } from './agents/opencode.ts'
import { pis } from './agents/pi.ts'
import { qwenCodes } from './agents/qwen-code.ts'
import type { Client } from './client.ts'
import { runCodexScenes } from './run-codex-scenes.ts'

/** The coding agents of the suite. */
export const AGENTS: readonly Client[] = [
  ...claudeCodes,
  { ...codex, scenes: runCodexScenes },
  geminiCli,
  ...opencodes,
  ...qwenCodes,
  ...pis,
  ...continueClis,
  ...aiders,
]
