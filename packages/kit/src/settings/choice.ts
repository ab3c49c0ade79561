/** The part of a setting that accepts one of a few values, which completion proposes. */
export function choice<const Choices extends readonly string[]>(choices: Choices) {
  return {
    choices,
    parse: (text: string): Choices[number] | undefined => choices.find((one) => one === text)
  }
}

/** As `choice`, for a setting that can be empty. */
export function optionalChoice<const Choices extends readonly string[]>(choices: Choices) {
  return {
    choices,
    parse: (text: string): Choices[number] | '' | undefined => (text === '' ? '' : choices.find((one) => one === text))
  }
}
