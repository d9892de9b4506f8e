/** The part of turbo's run summary that the checks read. */
export type Task = {
  readonly taskId: string
  readonly directory: string
  readonly command: string
  readonly cache: { readonly status: string }
  readonly execution?: { readonly startTime: number; readonly endTime: number; readonly exitCode: number | null }
}

/** How turbo ended. */
export type Run = {
  readonly exitCode: number
  /** It was told to stop. Turbo then ends as if all had passed. */
  readonly isStopped: boolean
}

/** The verdict on all checks. Only checks that have all run can have passed. */
export function verdictOf({ exitCode, isStopped }: Run, tasks: readonly Task[]): { text: string; exitCode: number } {
  if (isStopped) return { text: 'STOPPED before the end', exitCode: exitCode || 1 }
  if (exitCode !== 0) return { text: 'SOME FAILED, see above', exitCode }
  const isComplete = tasks.length > 0 && tasks.every((task) => isCached(task) || task.execution?.exitCode === 0)
  return isComplete ? { text: 'all passed', exitCode } : { text: 'NOT ALL HAVE RUN', exitCode: 1 }
}

export function resultOf(task: Task): string {
  if (isCached(task)) return 'ok  cached'
  const { execution } = task
  if (execution === undefined) return 'not run'
  const seconds = ((execution.endTime - execution.startTime) / 1000).toFixed(1)
  return `${execution.exitCode === 0 ? 'ok' : 'FAILED'}  ${seconds} s`
}

export function isCached({ cache }: Task): boolean {
  return cache.status === 'HIT'
}
