-- Kept free: another change takes this number.
SELECT 1;
