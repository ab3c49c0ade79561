/**
 * A HyperLogLog sketch, which estimates the number of distinct members of a set: 4096 registers, each with the longest
 * run of leading zeros among the hashes assigned to it. The standard error is 1.04 / √4096, 1.6 percent.
 *
 * Flajolet, Fusy, Gandouet, Meunier: HyperLogLog, AofA 2007. The hash is long enough to need no correction for large
 * sets (Heule, Nunkesser, Hall: HyperLogLog in Practice, EDBT 2013); the estimator is unbiased for all sizes without
 * tables (Ertl: New cardinality estimation algorithms for HyperLogLog sketches, arXiv 1702.01284, section 3).
 */
export class HyperLogLog {
  readonly registers: Uint8Array

  constructor(registers: Uint8Array = new Uint8Array(REGISTERS)) {
    if (registers.length !== REGISTERS) throw new Error(`a sketch has ${REGISTERS} registers, got ${registers.length}`)
    this.registers = registers
  }

  /** Adds a member by its hash: an integer of 52 bits. */
  add(hash: number): void {
    const register = hash % REGISTERS
    const rest = Math.floor(hash / REGISTERS)
    const rank = rest === 0 ? REST_BITS + 1 : REST_BITS - Math.floor(Math.log2(rest))
    if (rank > (this.registers[register] ?? 0)) this.registers[register] = rank
  }

  /** Adds every member of another sketch. */
  merge({ registers }: HyperLogLog): void {
    for (let index = 0; index < REGISTERS; index++) {
      const rank = registers[index] ?? 0
      if (rank > (this.registers[index] ?? 0)) this.registers[index] = rank
    }
  }

  /** Returns the estimated number of distinct members. */
  estimate(): number {
    const rankCounts = new Float64Array(REST_BITS + 2)
    for (const rank of this.registers) rankCounts[rank] = (rankCounts[rank] ?? 0) + 1
    let z = REGISTERS * tau(1 - (rankCounts[REST_BITS + 1] ?? 0) / REGISTERS)
    for (let rank = REST_BITS; rank >= 1; rank--) z = (z + (rankCounts[rank] ?? 0)) / 2
    z += REGISTERS * sigma((rankCounts[0] ?? 0) / REGISTERS)
    return REGISTERS ** 2 / (2 * Math.LN2 * z)
  }
}

const REGISTERS = 4096

/** The bits of a hash that do not select the register. */
const REST_BITS = 52 - 12

function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY
  let [x, y, z, before] = [share, 1, share, -1]
  while (z !== before) {
    x *= x
    before = z
    z += x * y
    y += y
  }
  return z
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0
  let [x, y, z, before] = [share, 1, 1 - share, -1]
  while (z !== before) {
    x = Math.sqrt(x)
    before = z
    y /= 2
    z -= (1 - x) ** 2 * y
  }
  return z / 3
}
