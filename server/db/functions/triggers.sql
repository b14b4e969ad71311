-- All triggers, in the order in which requests lock the tables: replacing one locks its table until
-- the migration ends, so a change of this file waits for running requests. The functions are in the
-- other files.

CREATE OR REPLACE TRIGGER explorer_agents_inserted AFTER INSERT ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_agents();

CREATE OR REPLACE TRIGGER explorer_agents_updated AFTER UPDATE ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_agents();

CREATE OR REPLACE TRIGGER network_agents AFTER INSERT OR DELETE ON agents
  FOR EACH ROW EXECUTE FUNCTION network_on_agents();

CREATE OR REPLACE TRIGGER network_disputes_moved AFTER INSERT OR DELETE ON disputes
  FOR EACH ROW EXECUTE FUNCTION network_on_disputes();

CREATE OR REPLACE TRIGGER network_disputes_updated AFTER UPDATE ON disputes
  FOR EACH ROW WHEN ((OLD.status, OLD.final_verdict, OLD.opened_at, OLD.outcome_id)
    IS DISTINCT FROM (NEW.status, NEW.final_verdict, NEW.opened_at, NEW.outcome_id))
  EXECUTE FUNCTION network_on_disputes();

CREATE OR REPLACE TRIGGER network_outcomes_inserted AFTER INSERT ON outcomes
  FOR EACH ROW WHEN (NEW.status = 'RESOLVED') EXECUTE FUNCTION network_on_outcomes();

CREATE OR REPLACE TRIGGER network_outcomes_deleted AFTER DELETE ON outcomes
  FOR EACH ROW WHEN (OLD.status = 'RESOLVED') EXECUTE FUNCTION network_on_outcomes();

CREATE OR REPLACE TRIGGER network_outcomes_updated AFTER UPDATE ON outcomes
  FOR EACH ROW WHEN ((OLD.status, OLD.final_verdict, OLD.assessed, OLD.resolved_at, OLD.paid_micro)
    IS DISTINCT FROM (NEW.status, NEW.final_verdict, NEW.assessed, NEW.resolved_at, NEW.paid_micro))
  EXECUTE FUNCTION network_on_outcomes();

CREATE OR REPLACE TRIGGER explorer_reputations_inserted AFTER INSERT ON reputations
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_reputations();

CREATE OR REPLACE TRIGGER explorer_reputations_updated AFTER UPDATE ON reputations
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_reputations();

CREATE OR REPLACE TRIGGER explorer_reputations_deleted AFTER DELETE ON reputations
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_reputations();

CREATE OR REPLACE TRIGGER explorer_ranks_inserted AFTER INSERT ON explorer_ranks
  REFERENCING NEW TABLE AS entered FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_ranks();

CREATE OR REPLACE TRIGGER explorer_ranks_updated AFTER UPDATE ON explorer_ranks
  REFERENCING NEW TABLE AS entered OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_ranks();

CREATE OR REPLACE TRIGGER explorer_ranks_deleted AFTER DELETE ON explorer_ranks
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_ranks();

CREATE OR REPLACE TRIGGER explorer_history_anchored AFTER INSERT ON reputation_history
  FOR EACH ROW WHEN (NEW.cause = 'anchor') EXECUTE FUNCTION explorer_on_anchored();
