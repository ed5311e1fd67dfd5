declare module 'autocannon' {
  /** The part of a run's result that the benchmark reads. */
  type Result = { requests: { total: number }; duration: number; errors: number; timeouts: number; non2xx: number };
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    headers: Readonly<Record<string, string>>;
  }): Promise<Result>;
}
