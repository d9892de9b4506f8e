/** The same function, except that it never throws: embedders receive a failure in the middle of work that goes on after it. */
export function quiet<Given extends readonly unknown[]>(run: (...given: Given) => unknown): (...given: Given) => void {
  return (...given) => {
    try {
      const told = run(...given)
      if (told instanceof Promise) told.catch(ignore)
    } catch {
      // This error cannot be reported anywhere.
    }
  }
}

function ignore(): void {}
