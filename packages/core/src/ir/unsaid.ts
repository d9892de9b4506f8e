import type { Losses, Path } from './loss.ts'

/** Reports the members of a node that the target has no word for. `at` leads to the node from where the losses stand. */
export function reportUnsaid<Node extends object>(
  node: Node,
  members: readonly (keyof Node & string)[],
  target: string,
  losses: Losses,
  at: Path = [],
): void {
  for (const member of members)
    if (node[member] !== undefined) losses.dropped([...at, member], `${target} has no ${member}`)
}
