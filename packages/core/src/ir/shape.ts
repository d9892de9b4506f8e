/** What can stand at a path of a node: a value, any JSON, a list of one shape, or an object of these members. */
export type Shape = 'value' | 'json' | readonly [Shape] | { readonly [member: string]: Shape }

/** A shape for every member of a node, optional ones included; of a union, for the members of all its types. */
export type ShapeOf<Node> = { readonly [Member in Node extends unknown ? keyof Node : never]: Shape }
