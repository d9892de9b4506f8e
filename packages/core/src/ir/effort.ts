/** How many tokens of reasoning an effort stands for. */
const BUDGET_OF: { readonly [effort: string]: number } = {
  minimal: 1024,
  low: 2048,
  medium: 5120,
  high: 10_240,
  xhigh: 20_480,
}

/** The budget of an effort; one that nobody knows is medium. */
export function budgetOfEffort(effort: string | undefined): number {
  return BUDGET_OF[effort ?? ''] ?? 5120
}

/** The nearest effort to a budget. */
export function effortOf(budget: number): string {
  return Object.entries(BUDGET_OF).find(([, most]) => budget <= most)?.[0] ?? 'xhigh'
}
