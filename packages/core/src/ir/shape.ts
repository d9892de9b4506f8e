/** The shape of a value at a path: a value, any JSON, a list of one shape, or an object with these members. */
export type Shape = 'value' | 'json' | readonly [Shape] | { readonly [member: string]: Shape }

/** A shape for every member of a node, also optional ones; for a union, the members of all its types. */
export type ShapeOf<Node> = { readonly [Member in Node extends unknown ? keyof Node : never]: Shape }
