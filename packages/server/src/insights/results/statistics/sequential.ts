/**
 * The p-value that stays true however often somebody looks, of a difference in standard errors between so many observations:
 * the smallest level at which the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024,
 * Annals of Statistics 52, theorem 2.2) leaves zero out. For always-valid p-values see Johari, Koomen, Pekelis and Walsh (2017).
 */
export function sequentialPValue(statistic: number, size: number): number {
  const scale = size * RHO_SQUARED
  return Math.min(1, Math.sqrt(scale + 1) * Math.exp((-0.5 * statistic ** 2 * scale) / (scale + 1)))
}

/** How many observations, of both together, the sequence is narrowest for. It holds for any number of them. */
const TUNED_FOR = 5000

/** ρ² by which the paper makes the sequence narrowest at a certain number of observations, for a level of 5 %. */
const RHO_SQUARED = (-2 * Math.log(0.05) + Math.log(-2 * Math.log(0.05)) + 1) / TUNED_FOR
