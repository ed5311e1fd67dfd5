/** Types of requests with their share of the traffic, commonest first. */
const typeShares = [
  ['create', 0.3],
  ['receive', 0.25],
  ['track', 0.2],
  ['token', 0.15],
  ['proxy', 0.04],
  ['static', 0.04],
  ['error', 0.02],
] as const;

/** Countries from common to rare; the first fifth of them makes most of the traffic. */
const countries = ['DE', 'BR', 'IN', 'US', 'PL', 'TR', 'KZ', 'UA', 'ES', 'IT', 'FR', 'MX', 'AR', 'CO', 'PE', 'CL', 'NG', 'KE', 'EG', 'ZA',
  'ID', 'TH', 'VN', 'PH', 'MY', 'JP', 'KR', 'AU', 'NZ', 'IS'] as const; // prettier-ignore

/** SQL for both engines that turns a column of numbers from 0 to 1 into a type, by the shares. */
export function typeSql(chance: string): string {
  let sum = 0;
  const branches = typeShares.slice(0, -1).map(([type, share]) => {
    sum += share;
    return `when ${chance} < ${sum.toFixed(2)} then '${type}'`;
  });
  return `(case ${branches.join(' ')} else 'error' end)`;
}

/** SQL for both engines that turns a column of numbers from 0 to 1 into a country, common ones far more often than rare ones. */
export function countrySql(chance: string): string {
  return `substr('${countries.join('')}', 1 + 2 * floor(${countries.length} * power(${chance}, 3))::int, 2)`;
}

/** A type by the shares, from a number from 0 to 1. */
export function typeAt(chance: number): string {
  let sum = 0;
  for (const [type, share] of typeShares) {
    sum += share;
    if (chance < sum) return type;
  }
  return 'error';
}

/** A country, common ones far more often, from a number from 0 to 1. */
export function countryAt(chance: number): string {
  return countries[Math.floor(countries.length * chance ** 3)] ?? countries[0];
}
