/** What is wrong with a value, as a sentence goes on after its name: `should match ^a$`. Undefined when nothing is. It may go on for long. */
export type ValueCheck = (value: unknown) => string | undefined

/** A rule that is ready to check values, or what is wrong with the rule. */
export type CompiledCheck = { readonly check: ValueCheck } | { readonly mistake: string }
