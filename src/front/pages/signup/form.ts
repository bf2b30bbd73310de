/** Parses a submitted sign-up form. */
import type { Applicant } from '../../../ports/account-directory.ts';
import { type FormRefusal, readFields } from '../form-fields.ts';

export type FormReading =
  | {
      readonly ok: true;
      /** The random name of the rendered form; null for a request written by hand. */
      readonly form: string | null;
      readonly applicant: Applicant;
    }
  | FormRefusal;

const formNamePattern = /^[A-Za-z0-9_-]{22}$/;

/** @param baseUrl the service's public address */
export async function readForm(request: Request, baseUrl: string): Promise<FormReading> {
  const reading = await readFields(request, baseUrl);
  if (!reading.ok) return reading;
  const { fields } = reading;
  const field = (name: keyof Applicant) => fields.get(name) ?? '';
  const name = fields.get('form') ?? '';
  return {
    ok: true,
    form: formNamePattern.test(name) ? name : null,
    applicant: { email: field('email'), company: field('company'), use: field('use') },
  };
}
