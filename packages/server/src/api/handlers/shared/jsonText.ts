/** JSON text that was made before its response, of a value of type `Value`. */
export class JsonText<Value> {
  /** Never set: keeps texts of different types apart. */
  declare protected readonly value: Value
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
