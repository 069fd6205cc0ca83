import { Module } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { moduleSettings } from '../../../../src/platform/config/module-settings.js';
import { SettingsModule } from '../../../../src/platform/config/settings.module.js';
import { BadConfiguration, readSettings } from '../../../../src/platform/config/settings.js';
import { origins, wholeNumber } from '../../../../src/platform/config/variable-kinds.js';

class VisitSettings extends moduleSettings({
  reminderDays: ['VISITS_REMINDER_DAYS', wholeNumber(1, 365)({ default: 14, desc: 'How many days ahead.' })],
  sites: ['VISITS_SITES', origins({ default: undefined, desc: 'Where visits are booked.' })],
}) {}

@Module({ imports: [SettingsModule.forFeature(VisitSettings)] })
class VisitsModule {}

@Module({ imports: [SettingsModule.forFeature(class extends VisitSettings {})] })
class OtherModule {}

describe('settings of a module', () => {
  const read = (environment: NodeJS.ProcessEnv) =>
    readSettings(environment, [VisitsModule]).modules.get(VisitSettings) as VisitSettings;

  it('are read from the environment, each by its kind, or have their defaults', () => {
    expect({ ...read({ VISITS_REMINDER_DAYS: '' }) }).toEqual({ reminderDays: 14, sites: undefined });
    const settings = read({ VISITS_REMINDER_DAYS: '30', VISITS_SITES: 'https://a.example' });
    expect(settings).toBeInstanceOf(VisitSettings);
    const [days, sites]: [number, string[] | undefined] = [settings.reminderDays, settings.sites];
    expect([days, sites]).toEqual([30, ['https://a.example']]);
  });

  it('that are wrong are reported together with wrong settings of the service', () => {
    const environment = { PORT: 'http', VISITS_REMINDER_DAYS: '0', VISITS_SITES: '/' };
    expect(() => readSettings(environment, [VisitsModule])).toThrow(
      new BadConfiguration(
        [
          'PORT: must be a whole number from 0 to 65535',
          'VISITS_REMINDER_DAYS: must be a whole number from 1 to 365',
          'VISITS_SITES: must be * or origins such as https://shop.example, separated by commas',
        ].join('\n'),
      ),
    );
  });

  it('have a variable each', () => {
    expect(() => readSettings({}, [VisitsModule, OtherModule])).toThrow(
      'VISITS_REMINDER_DAYS is declared twice.',
    );
  });
});
